import { randomInt } from 'node:crypto'

const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const ID_LENGTH = 12

/** A new opaque id such as `RM_k3Jv…`; the prefix names the kind of thing. */
export function newId(prefix: string): string {
  let id = prefix
  for (let i = 0; i < ID_LENGTH; i++) id += ALPHABET[randomInt(ALPHABET.length)]
  return id
}
