export type Support = 'ok' | 'insecure' | 'in-app' | 'too-old'

/** Applications that open links in a browser of their own, often without camera and microphone. */
const IN_APP = /\b(Line\/|FBAN|FBAV|Instagram|MicroMessenger|GSA\/|YJApp|KAKAOTALK|Twitter)/i

export interface Browser {
  userAgent: string
  isSecure: boolean
  hasPeerConnection: boolean
  hasDevices: boolean
}

export function supportOf(browser: Browser): Support {
  if (browser.hasPeerConnection && browser.hasDevices) return 'ok'
  if (IN_APP.test(browser.userAgent)) return 'in-app'
  return browser.isSecure ? 'too-old' : 'insecure'
}

/** Browsers on Apple's phones and tablets that look like Safari, and have the permissions of an app. */
const APPLE_APP = /CriOS|FxiOS|EdgiOS|OPiOS|OPT\//i

interface PermissionSituation {
  userAgent: string
  /** The page around this one keeps the devices from it, by the `allow` of its frame. */
  isKeptByFrame: boolean
}

/** Where a person changes what was refused to the page; an application of its own, and a frame, offer no place. */
export function permissionPlaceOf({
  userAgent,
  isKeptByFrame,
}: PermissionSituation): 'in-app' | 'frame' | 'appSettings' | 'firefox' | 'safari' | 'chrome' {
  if (isKeptByFrame) return 'frame'
  if (IN_APP.test(userAgent)) return 'in-app'
  if (APPLE_APP.test(userAgent)) return 'appSettings'
  if (/firefox/i.test(userAgent)) return 'firefox'
  return /safari/i.test(userAgent) && !/chrom|edg/i.test(userAgent) ? 'safari' : 'chrome'
}

interface FeaturePolicy {
  allowsFeature(name: string): boolean
}

/** Chromium says it alone: elsewhere it looks like the refusal of a person. */
export function areDevicesKeptByFrame(): boolean {
  const { featurePolicy } = document as unknown as { featurePolicy?: FeaturePolicy }
  return (
    featurePolicy !== undefined &&
    !['camera', 'microphone'].every((name) => featurePolicy.allowsFeature(name))
  )
}

export function thisBrowser(): Browser {
  return {
    userAgent: navigator.userAgent,
    isSecure: globalThis.isSecureContext,
    hasPeerConnection: 'RTCPeerConnection' in globalThis,
    hasDevices: 'mediaDevices' in navigator && 'getUserMedia' in navigator.mediaDevices,
  }
}

/** Whether the page may send sound to a chosen speaker: not on phones with an Apple browser. */
export function canChooseSpeaker(): boolean {
  return 'setSinkId' in HTMLMediaElement.prototype
}

/** Whether the page may try to blur backgrounds; only trying shows whether the graphics can. */
export function canBlurBackground(): boolean {
  const hasPictures = 'VideoFrame' in globalThis && 'OffscreenCanvas' in globalThis
  const hasStream =
    'MediaStreamTrackGenerator' in globalThis || 'captureStream' in HTMLCanvasElement.prototype
  return (
    hasPictures &&
    hasStream &&
    'WebGL2RenderingContext' in globalThis &&
    'WebAssembly' in globalThis
  )
}
