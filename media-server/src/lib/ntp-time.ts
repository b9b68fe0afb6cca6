const NTP_EPOCH_SEC = 2_208_988_800
const FRACTIONS_PER_SEC = 2 ** 32

/** Seconds since 1900 with a fraction of 32 bits, of milliseconds since 1970. */
export function ntpOfMs(ms: number): bigint {
  const seconds = Math.floor(ms / 1000)
  const fraction = Math.floor(((ms % 1000) / 1000) * FRACTIONS_PER_SEC)
  return (BigInt(seconds + NTP_EPOCH_SEC) << 32n) | BigInt(fraction)
}

/** Milliseconds since 1970 of a time in seconds since 1900 with a fraction of 32 bits. */
export function msOfNtp(ntp: bigint): number {
  const fraction = Number(ntp & 0xffff_ffffn) / FRACTIONS_PER_SEC
  return (Number(ntp >> 32n) - NTP_EPOCH_SEC + fraction) * 1000
}
