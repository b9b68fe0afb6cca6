export type Support = 'ok' | 'insecure' | 'in-app' | 'too-old'

/** Apps that open links in a built-in browser, often without camera and microphone. */
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

/** Browsers on Apple's phones and tablets that look like Safari but have the permissions of an app. */
const APPLE_APP = /CriOS|FxiOS|EdgiOS|OPiOS|OPT\//i

interface PermissionSituation {
  userAgent: string
  /** The embedding page blocks the devices, by the `allow` attribute of its frame. */
  isKeptByFrame: boolean
}

/**
 * Names the place where a person can change a refused permission. Apps with a built-in browser and frames have no
 * such place.
 */
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

/** Only Chromium reports it. In other browsers it looks like a refusal by the person. */
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

/** True if the page may play sound on a chosen speaker. Browsers on Apple's phones cannot. */
export function canChooseSpeaker(): boolean {
  return 'setSinkId' in HTMLMediaElement.prototype
}

/** True if the page can try to blur backgrounds. Only an attempt shows if the graphics hardware can. */
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
