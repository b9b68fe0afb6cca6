import type { CompositionPlan } from '@interview-room/composer/plan.ts'
import { type EncodingOptions, EncodingOptionsPreset } from '@livekit/protocol'
import { TwirpError } from '../api/twirp.ts'

type RequestedOptions =
  | { case: 'preset'; value: EncodingOptionsPreset }
  | { case: 'advanced'; value: EncodingOptions }
  | { case: undefined; value?: undefined }

const DEFAULTS = { frameRate: 30, videoKbps: 4500, audioKbps: 128, keyFrameSec: 4 }
const SMALL = { width: 1280, height: 720, videoKbps: 3000 }
const LARGE = { width: 1920, height: 1080, videoKbps: 4500 }
const SIDE_PX = { min: 16, max: 3840 }
const FRAME_RATE_MAX = 60

const PRESETS: Partial<Record<EncodingOptionsPreset, CompositionPlan['encoding']>> = {
  [EncodingOptionsPreset.H264_720P_30]: { ...DEFAULTS, ...SMALL },
  [EncodingOptionsPreset.H264_720P_60]: { ...DEFAULTS, ...SMALL, frameRate: 60 },
  [EncodingOptionsPreset.H264_1080P_30]: { ...DEFAULTS, ...LARGE },
  [EncodingOptionsPreset.H264_1080P_60]: { ...DEFAULTS, ...LARGE, frameRate: 60 },
  [EncodingOptionsPreset.PORTRAIT_H264_720P_30]: { ...DEFAULTS, ...turned(SMALL) },
  [EncodingOptionsPreset.PORTRAIT_H264_720P_60]: { ...DEFAULTS, ...turned(SMALL), frameRate: 60 },
  [EncodingOptionsPreset.PORTRAIT_H264_1080P_30]: { ...DEFAULTS, ...turned(LARGE) },
  [EncodingOptionsPreset.PORTRAIT_H264_1080P_60]: { ...DEFAULTS, ...turned(LARGE), frameRate: 60 },
}

/** The encoding asked for. A participant's without options has the size of its source. */
export function encodingOf(
  options: RequestedOptions,
  { hasOwnSize }: { hasOwnSize: boolean },
): CompositionPlan['encoding'] {
  if (options.case === 'advanced') return advanced(options.value)
  if (options.case === undefined && hasOwnSize) return DEFAULTS
  const preset = PRESETS[options.value ?? EncodingOptionsPreset.H264_720P_30]
  if (preset === undefined) throw new TwirpError('invalid_argument', 'unknown encoding preset')
  return preset
}

function advanced(options: EncodingOptions): CompositionPlan['encoding'] {
  const encoding = {
    width: (options.width || LARGE.width) & ~1,
    height: (options.height || LARGE.height) & ~1,
    frameRate: options.framerate || DEFAULTS.frameRate,
    videoKbps: options.videoBitrate || DEFAULTS.videoKbps,
    audioKbps: options.audioBitrate || DEFAULTS.audioKbps,
    keyFrameSec: options.keyFrameInterval || DEFAULTS.keyFrameSec,
  }
  const sides = [encoding.width, encoding.height]
  const isSized = sides.every((side) => side >= SIDE_PX.min && side <= SIDE_PX.max)
  const isPaced = encoding.frameRate > 0 && encoding.frameRate <= FRAME_RATE_MAX
  if (isSized && isPaced) return encoding
  throw new TwirpError('invalid_argument', 'request has missing or invalid field: advanced')
}

function turned(size: typeof SMALL): typeof SMALL {
  return { ...size, width: size.height, height: size.width }
}
