/** The operator whose link opened the board. */
export interface BoardHolder {
  boardTokenId: string
  tenantId: string
  /** The internal reference under which the operator enters rooms. */
  operator: string
  displayName: string
  expiresAt: Date
}
