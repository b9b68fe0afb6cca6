import { measureBoard } from './board/measure-board.ts'
import { measureEndedRooms } from './ended-rooms.ts'
import { measureEntryPages } from './entry-pages.ts'
import { measureFlood } from './flood/measure-flood.ts'
import { measureLiveStream } from './live-stream/measure-live-stream.ts'
import { measureCaptionDelay } from './live-text/measure-caption-delay.ts'
import { measureLiveText } from './live-text/measure-live-text.ts'
import { measureLockedRoom } from './locked-room.ts'
import { measureMediaRoom } from './media-room.ts'
import { measureObservers } from './observers/measure-observers.ts'
import { measureOverload } from './overload.ts'
import { measurePageLoad } from './page-load/measure-page-load.ts'
import { measurePageWeight } from './page-weight.ts'
import { measureReconciler } from './reconciler.ts'
import { measureRecording } from './recording.ts'
import { measureRequests } from './requests/measure-requests.ts'
import { measureReviewPage } from './review-page/measure-review-page.ts'
import { measureTranscriptSearch } from './transcript-search.ts'
import { measureTranscription } from './transcription/measure-transcription.ts'
import { measureTrim } from './trim/measure-trim.ts'
import { measureWebhookClaims } from './webhook-claims.ts'
import { measureWebhookDelivery } from './webhook-delivery.ts'

/**
 * `npm run bench -- control-plane --rounds 5` prints a report. Only `page-weight` can fail, because it has a budget.
 */
const BENCHMARKS: Record<string, { options: string; run: (args: string[]) => Promise<void> }> = {
  board: { options: '--rooms 300 --changes 60 --seconds 20', run: measureBoard },
  'caption-delay': { options: '--rounds 4', run: measureCaptionDelay },
  'control-plane': {
    options: '--rounds 5 --seconds 5 --only "create room"',
    run: measureRequests('control'),
  },
  'ended-rooms': { options: '--rooms 10 --seconds 30 --compositions 1', run: measureEndedRooms },
  'entry-pages': { options: '--rows 10000000 --pairs 2000', run: measureEntryPages },
  flood: { options: '--parallel 128 --rounds 20', run: measureFlood },
  'held-room': { options: '--seconds 10 --writers 24', run: measureLockedRoom },
  'live-stream': {
    options: '--readers 50 --messages 500 --rate 20',
    run: measureLiveStream,
  },
  'live-text': { options: '--rooms 20 --seconds 60', run: measureLiveText },
  'media-room': { options: '--minutes 10', run: measureMediaRoom },
  observers: { options: '--observers 10,20,30,40,50 --seconds 20', run: measureObservers },
  overload: { options: '--times 0.5,1,3,4 --seconds 20', run: measureOverload },
  'page-load': { options: '--rounds 7', run: measurePageLoad },
  'page-weight': { options: '', run: measurePageWeight },
  'participant-plane': {
    options: '--rounds 5 --seconds 5 --only entry',
    run: measureRequests('participant'),
  },
  reconciler: {
    options: '--past 10000,100000 --booked 100,1000,5000 --rounds 20',
    run: measureReconciler,
  },
  'review-page': { options: '--rounds 5', run: measureReviewPage },
  recording: { options: '--seconds 60 --only composed', run: measureRecording },
  'transcript-search': {
    options: '--transcripts 1000 --lines 1000 --rounds 20',
    run: measureTranscriptSearch,
  },
  transcription: { options: '--minutes 10,30,90', run: measureTranscription },
  trim: { options: '--rounds 5 --seconds 600 --clip 120', run: measureTrim },
  'webhook-claims': {
    options: '--pending 1000,10000,100000 --rounds 200',
    run: measureWebhookClaims,
  },
  'webhook-delivery': {
    options: '--seconds 20 --rate 100 --hanging 20',
    run: measureWebhookDelivery,
  },
}

const [name = '', ...args] = process.argv.slice(2)
const benchmark = BENCHMARKS[name]
if (benchmark === undefined) {
  for (const [each, { options }] of Object.entries(BENCHMARKS)) {
    console.log(`npm run bench -- ${each} ${options}`)
  }
  process.exitCode = 2
} else {
  await benchmark.run(args)
}
