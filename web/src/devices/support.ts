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
