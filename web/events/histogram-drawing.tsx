import { parseTime, zone } from '../ui/times.tsx'
import { barText, countsText, startText } from './bar-texts.ts'
import { type Bar, HEIGHT, WIDTH } from './bars.ts'
import { LOOKS } from './outcome.ts'

const LONG_MS = 2 * 86_400_000

interface DrawingProps {
  readonly bars: readonly Bar[]
  /** The first and the last bar that are chosen. */
  readonly brush: readonly [number, number] | undefined
}

export function HistogramDrawing({ bars, brush }: DrawingProps) {
  const step = WIDTH / Math.max(1, bars.length)
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="rule" d={`M0 ${HEIGHT - 0.5}h${WIDTH}`} />
      {bars.map((bar) => (
        <g key={bar.start.getTime()}>
          <title>{`${barText(bar)}: ${countsText(bar.counts)}`}</title>
          {bar.parts.map(({ status, y, height }) => (
            <rect
              key={status}
              class={status === 'PROCESSED' ? 'dim' : undefined}
              data-tone={LOOKS[status].tone}
              x={bar.x}
              y={y}
              width={bar.width}
              height={height}
            />
          ))}
        </g>
      ))}
      {brush && <rect class="brush" x={brush[0] * step} width={(brush[1] - brush[0] + 1) * step} height={HEIGHT} />}
    </svg>
  )
}

/** @param to the end of the range, as the API writes it */
export function HistogramAxis({ bars, to }: { readonly bars: readonly Bar[]; readonly to: string }) {
  const [first, last] = [bars[0], bars.at(-1)]
  const isLong = first && last && last.start.getTime() - first.start.getTime() > LONG_MS
  return (
    <p class="num">
      {[0, 0.25, 0.5, 0.75].map((part, index) => {
        const bar = bars[Math.floor(part * bars.length)]
        return (
          <span key={part} class={index % 2 === 1 ? 'c1' : undefined}>
            {bar && startText(bar, index === 0 || isLong === true)}
          </span>
        )
      })}
      <span>
        {startText({ start: parseTime(to) }, isLong === true)} · {zone}
      </span>
    </p>
  )
}
