import encodeQR from 'qr'

/** Light modules around the code, without which cameras do not find it (ISO/IEC 18004, section 6.3.8). */
const QUIET_ZONE = 4

interface QrCodeProps {
  text: string
  /** What a screen reader says in place of the picture. */
  label: string
}

/** A QR code as wide as what it stands in. It is dark on white in both colour schemes, because many cameras read no other. */
export default function QrCode({ text, label }: QrCodeProps) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })
  const size = rows.length
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-full rounded-lg border border-rule"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
