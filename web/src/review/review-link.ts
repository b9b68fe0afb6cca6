import { type OpenedPage, takeParameters } from '../live/tab-storage.ts'

const KEY = 'interview-room.review'
/** A token right after the `#`, as in `/v/{id}#<token>&t=754`. */
const BARE_TOKEN = /^#(?=[\w-]+\.[\w-]+\.[\w-]+)/

/** A place in the story of a room. */
export interface Place {
  /** The number of the recording, from 1. Null for the first one. */
  part: number | null
  /** Seconds from the start of its file. Null if the address names none. */
  sec: number | null
}

export interface ReviewLink {
  /** Null if the link has none, and this tab has stored none for the same path. */
  token: string | null
  place: Place
  /** False if the browser stores nothing. The address then holds the token, and must not change. */
  isAddressFree: boolean
}

/** Reads the link once and takes the token out of the address bar. The place stays in it. */
export function takeReviewLink({ location, history, storage }: OpenedPage): ReviewLink {
  const { pathname, search, hash } = location
  const named = { pathname, search, hash: hash.replace(BARE_TOKEN, '#token=') }
  const token = takeParameters({ location: named, history, storage })?.get('token') ?? null
  const key = `${KEY}.${pathname}`
  if (token !== null) storage.setItem(key, token)
  const place = placeIn(hash)
  if (token !== null && storage.isKept && place.sec !== null)
    history.replaceState(null, '', addressOf(place))
  return { token: storage.getItem(key), place, isAddressFree: storage.isKept }
}

/** Reads `#t=754` or `#part=2&t=754`. */
export function placeIn(hash: string): Place {
  const parameters = new URLSearchParams(hash.replace('#', ''))
  const sec = numberIn(parameters.get('t'))
  const part = numberIn(parameters.get('part'))
  return { sec, part: part !== null && part >= 1 ? Math.floor(part) : null }
}

/** The part of the address after the path. */
export function addressOf({ part, sec }: Place): string {
  const numbers = [part === null ? null : `part=${part}`, sec === null ? null : `t=${written(sec)}`]
  return `#${numbers.filter((each) => each !== null).join('&')}`
}

/** True if the address brings another token, which only a new start of the page can use. */
export function hasToken(hash: string): boolean {
  return BARE_TOKEN.test(hash) || /[#&]token=/.test(hash)
}

const written = (sec: number) => String(Math.round(sec * 10) / 10)

function numberIn(text: string | null): number | null {
  return text !== null && /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
}
