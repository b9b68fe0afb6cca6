interface SignalBarsProps {
  /** The number of full bars, out of three. */
  full: number
  /** Crossed out: the connection is lost. */
  isCrossed?: boolean
}

/** The quality of a connection as rising bars in the colour of the text. A label stands beside them. */
export function SignalBars({ full, isCrossed = false }: SignalBarsProps) {
  return (
    <svg viewBox="0 0 16 12" width="16" height="12" aria-hidden="true">
      {[0, 1, 2].map((bar) => (
        <rect
          key={bar}
          x={bar * 5.5 + 0.5}
          y={8 - bar * 4}
          width="4"
          height={4 + bar * 4}
          rx="1"
          opacity={bar < full ? 1 : 0.3}
        />
      ))}
      {isCrossed && <path d="M1 1l14 10M15 1L1 11" />}
    </svg>
  )
}
