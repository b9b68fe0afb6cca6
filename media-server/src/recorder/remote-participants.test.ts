import {
  ParticipantInfo,
  ParticipantInfo_Kind,
  ParticipantInfo_State,
  ParticipantPermission,
  SpeakerInfo,
  TrackInfo,
  TrackSource,
  TrackType,
} from '@livekit/protocol'
import { describe, expect, test } from 'vitest'
import type { Selection } from '../egress/capture/selection.ts'
import { RemoteParticipants } from './remote-participants.ts'
import { TrackRequests } from './track-requests.ts'

const MICROPHONE = new TrackInfo({
  sid: 'TR_AM1',
  type: TrackType.AUDIO,
  source: TrackSource.MICROPHONE,
})
const CAMERA = new TrackInfo({ sid: 'TR_VC1', type: TrackType.VIDEO, source: TrackSource.CAMERA })
const { ACTIVE, DISCONNECTED } = ParticipantInfo_State

function info(identity: string, change: Partial<ParticipantInfo> = {}): ParticipantInfo {
  return new ParticipantInfo({ sid: `PA_${identity}`, identity, state: ACTIVE, ...change })
}

function room(...infos: ParticipantInfo[]): RemoteParticipants {
  const people = new RemoteParticipants()
  people.begin('PA_self', infos)
  return people
}

const names = (people: RemoteParticipants) => [...people.byIdentity.keys()]

describe('the people in a room of another server', () => {
  test('are in the order in which they joined, however the server lists them', () => {
    const last = info('last', { joinedAtMs: 30n })
    const first = info('first', { joinedAtMs: 10n })
    const people = room(last, first, info('second', { joinedAtMs: 20n }))
    expect(names(people)).toEqual(['first', 'second', 'last'])
  })

  test('come, change and go as the server reports, and do not include us', () => {
    const people = room(info('one'))
    people.update([info('two', { tracks: [CAMERA] }), info('EG_1', { sid: 'PA_self' })])
    expect(names(people)).toEqual(['one', 'two'])
    const camera = people.findTrack('TR_VC1')
    const muted = CAMERA.clone()
    muted.muted = true
    people.update([info('two', { version: 2, tracks: [muted, MICROPHONE] })])
    expect(people.findTrack('TR_VC1')).toBe(camera)
    expect(camera?.info.muted).toBe(true)
    people.update([info('two', { version: 1, tracks: [] })])
    expect(people.findTrack('TR_AM1')).toBeDefined()
    people.update([info('one', { state: DISCONNECTED })])
    expect(names(people)).toEqual(['two'])
  })

  test('keep a person who came back when their earlier connection ends', () => {
    const people = room(info('one', { sid: 'PA_old', tracks: [CAMERA] }))
    people.update([info('one', { sid: 'PA_new' })])
    people.update([info('one', { sid: 'PA_old', state: DISCONNECTED })])
    expect(people.byIdentity.get('one')?.sid).toBe('PA_new')
    expect(people.findTrack('TR_VC1')).toBeUndefined()
  })

  test('stay for a while after a reconnect without them', () => {
    const people = room(info('one'), info('two'))
    const missing = people.begin('PA_again', [info('three')])
    expect(missing.map(({ identity }) => identity)).toEqual(['one', 'two'])
    people.update([info('two', { sid: 'PA_later' })])
    people.forget(missing)
    expect(names(people)).toEqual(['two', 'three'])
  })

  test('are as loud as the server reports', () => {
    const people = room(info('one', { tracks: [MICROPHONE] }))
    people.speak([new SpeakerInfo({ sid: 'PA_one', level: 0.1, active: true })])
    expect(people.findTrack('TR_AM1')?.reportedLevel).toBe(20)
    people.speak([new SpeakerInfo({ sid: 'PA_one', level: 0, active: false })])
    expect(people.findTrack('TR_AM1')?.reportedLevel).toBe(127)
  })
})

describe('the subscriptions of a recorder', () => {
  const whole: Selection = { of: 'room', hasSound: true, hasPicture: true }

  test('request the full layer of every camera, once for each connection', () => {
    const people = room(info('one', { tracks: [CAMERA, MICROPHONE] }))
    const requests = new TrackRequests(whole)
    expect(requests.isEverything).toBe(true)
    expect(requests.take(people.all)).toMatchObject([
      { case: 'trackSetting', value: { trackSids: ['TR_VC1'], quality: 2, disabled: false } },
    ])
    expect(requests.take(people.all)).toEqual([])
    requests.reset()
    expect(requests.take(people.all)).toHaveLength(1)
  })

  test.each<[Selection, string[]]>([
    [{ of: 'participant', identity: 'one', isScreen: false }, ['TR_VC1', 'TR_AM1']],
    [{ of: 'participant', identity: 'two', isScreen: false }, []],
    [{ of: 'tracks', sids: ['TR_AM1'] }, ['TR_AM1']],
    [{ of: 'room', hasSound: true, hasPicture: false }, ['TR_AM1']],
  ])('for %j are the tracks %j', (selection, sids) => {
    const people = room(info('one', { tracks: [CAMERA, MICROPHONE] }), info('two'))
    const requests = new TrackRequests(selection)
    expect(requests.isEverything).toBe(false)
    const subscriptions = requests.take(people.all).filter((one) => one.case === 'subscription')
    expect(subscriptions.flatMap(({ value }) => value.trackSids)).toEqual(sids)
    expect(requests.isIdle(people.all)).toBe(sids.length === 0)
  })

  test('include nothing from hidden participants, recorders among them', () => {
    const permission = new ParticipantPermission({ canPublish: true, hidden: true })
    const unseen = [{ permission }, { permission, kind: ParticipantInfo_Kind.EGRESS }].map(
      (change, i) => info(`unseen${i}`, { ...change, tracks: [CAMERA] }),
    )
    expect(new TrackRequests(whole).take(room(...unseen).all)).toEqual([])
  })

  test.each([
    ParticipantInfo_Kind.AGENT,
    ParticipantInfo_Kind.SIP,
    ParticipantInfo_Kind.INGRESS,
    ParticipantInfo_Kind.CONNECTOR,
  ])('include those of a guest of the kind %i, whom the service lets stay', (kind) => {
    const agent = kind === ParticipantInfo_Kind.AGENT
    const permission = new ParticipantPermission({ canPublish: true, agent })
    const people = room(info('guest', { kind, permission, tracks: [CAMERA] }))
    expect(new TrackRequests(whole).take(people.all)).toHaveLength(1)
  })
})
