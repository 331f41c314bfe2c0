import { computed } from '@preact/signals'
import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import { now } from '../clock.ts'
import { list } from './feed.ts'
import { LOOKS, OUTCOMES } from './outcome.ts'
import { type Bar, timeLine } from './time-line.ts'

/** The units of the drawing, which is stretched to its place; its texts are outside. */
const WIDTH = 480
const HEIGHT = 100

const minute = computed(() => Math.floor(now.value.getTime() / 60_000))

const LENGTHS: Readonly<Record<number, string>> = {
  1: 'minute',
  5: '5 minutes',
  15: '15 minutes',
  60: 'hour',
  360: '6 hours',
  1440: 'day',
}

const layers = stack<Bar>().keys(OUTCOMES)

/** The events of the list by time and outcome, as a drawing and as a table. */
export function Chart() {
  const { minutes, bars } = timeLine(list.value?.events ?? [], new Date(minute.value * 60_000))
  const most = Math.max(...bars.map(totalOf))
  const x = scaleBand<Bar>().domain(bars).range([0, WIDTH]).paddingInner(0.25)
  const y = scaleLinear()
    .domain([0, Math.max(1, most)])
    .range([HEIGHT, 0])
  const length = LENGTHS[minutes]
  const wording = (bar: Bar) => timeText(bar.start, minutes)
  return (
    <figure class="card chart">
      <figcaption>
        <h2>Events per {length}</h2>
        <span class="muted">of those shown; at most {most}</span>
        <ul class="legend">
          {OUTCOMES.map((outcome) => (
            <li key={outcome}>
              <span class="swatch" data-tone={LOOKS[outcome].tone} /> {LOOKS[outcome].label}
            </li>
          ))}
        </ul>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Events per ${length}; the table below says the same`}
      >
        {layers(bars).map((layer) =>
          layer.map((segment) => {
            const [low, high] = segment
            if (low === high) return null
            return (
              <rect
                key={`${layer.key} ${segment.data.start.getTime()}`}
                data-tone={LOOKS[layer.key as keyof typeof LOOKS].tone}
                x={x(segment.data)}
                width={x.bandwidth()}
                y={y(high)}
                height={y(low) - y(high)}
              >
                <title>{`${wording(segment.data)}: ${high - low} ${LOOKS[layer.key as keyof typeof LOOKS].label}`}</title>
              </rect>
            )
          }),
        )}
      </svg>
      <p class="axis muted">
        {[bars[0], bars[Math.floor(bars.length / 2)], bars.at(-1)].map((bar, index) => (
          <span key={index}>{bar && wording(bar)}</span>
        ))}
      </p>
      <details>
        <summary>As a table</summary>
        <Table bars={bars.filter((bar) => totalOf(bar) > 0)} wording={wording} />
      </details>
    </figure>
  )
}

interface TableParts {
  readonly bars: readonly Bar[]
  readonly wording: (bar: Bar) => string
}

function Table({ bars, wording }: TableParts) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">From (UTC)</th>
            {OUTCOMES.map((outcome) => (
              <th scope="col" key={outcome}>
                {LOOKS[outcome].label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map((bar) => (
            <tr key={bar.start.getTime()}>
              <th scope="row">{wording(bar)}</th>
              {OUTCOMES.map((outcome) => (
                <td key={outcome}>{bar[outcome]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function totalOf(bar: Bar): number {
  return OUTCOMES.reduce((sum, outcome) => sum + bar[outcome], 0)
}

/** `03:04`, with the day if the bars span several. */
function timeText(date: Date, minutes: number): string {
  const iso = date.toISOString()
  return minutes < 60 ? iso.slice(11, 16) : iso.slice(5, 16).replace('T', ' ')
}
