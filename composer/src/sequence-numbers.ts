/** How far `to` lies after `from` on the 16-bit circle; negative when it lies before. */
export function distance16(from: number, to: number): number {
  return ((to - from + 0x8000) & 0xffff) - 0x8000
}
