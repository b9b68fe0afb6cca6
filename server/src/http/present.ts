/** "Success envelope" of the contract. */
export function succeed<T>(data: T): { success: true; data: T } {
  return { success: true, data }
}
