/** The LiveKit server beside which recordings are made, and the key for it. */
export interface ServerAccess {
  /** http(s) address. */
  url: string
  apiKey: string
  apiSecret: string
}
