import { useSignal } from '@preact/signals'
import { parseTime, zone } from '../ui/times.tsx'
import {
  type Bar,
  type BarChoice,
  barsOf,
  barText,
  chosenBars,
  countsText,
  HEIGHT,
  lengthText,
  movedChoice,
  spanText,
  startText,
  WIDTH,
} from './bars.ts'
import type { Counts } from './calls.ts'
import { narrow, place } from './navigation.tsx'
import { counts } from './reading.ts'
import { countedStatuses, LOOKS } from './record.ts'

/** The events of the whole range by time. */
export function Histogram() {
  return (
    <figure class="hist line">
      {counts.value ? (
        <Brush counts={counts.value} />
      ) : (
        // The place of a drawing that is to come.
        <>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" />
          <p>&nbsp;</p>
        </>
      )}
    </figure>
  )
}

/** A part of the range is chosen by dragging, by a click or by keys. */
function Brush({ counts: found }: { readonly counts: Counts }) {
  const choice = useSignal<BarChoice | undefined>(undefined)
  const bars = barsOf(found, countedStatuses(place.value.filter))
  const last = bars.length - 1
  const span = choice.value && chosenBars(choice.value)
  const [from, to] = span ?? [last, last]

  function apply(): void {
    choice.value = undefined
    narrowTo(bars.slice(from, to + 1))
  }

  function barAt({ clientX, currentTarget }: { clientX: number; currentTarget: HTMLElement }): number {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * bars.length)))
  }

  function press(event: KeyboardEvent): void {
    const moved = movedChoice(choice.value, event, last)
    if (moved) choice.value = moved
    else if (!choice.value) return
    else if (event.key === 'Enter') apply()
    else if (event.key === 'Escape') choice.value = undefined
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <>
      <div
        role="slider"
        tabIndex={0}
        aria-label={`Events by time, ${lengthText(found.bucketSeconds)} a bar. Arrow keys choose a bar, with Shift several; Enter shows them alone`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, choice.value?.[1] ?? last)}
        aria-valuetext={spanText(bars.slice(from, to + 1))}
        onKeyDown={press}
        onBlur={() => (choice.value = undefined)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          choice.value = [barAt(event), barAt(event)]
        }}
        onPointerMove={(event) => {
          const [anchor] = choice.peek() ?? []
          if (event.buttons === 1 && anchor !== undefined) choice.value = [anchor, barAt(event)]
        }}
        onPointerUp={() => choice.peek() && apply()}
        onPointerCancel={() => (choice.value = undefined)}
      >
        <HistogramDrawing bars={bars} brush={span} />
      </div>
      <HistogramAxis bars={bars} to={found.to} />
    </>
  )
}

/** Shows the events of these bars alone. */
export function narrowTo(bars: readonly Bar[]): void {
  const [first, last] = [bars[0], bars.at(-1)]
  if (first && last) narrow({ range: 'custom', from: first.start.toISOString(), to: last.end.toISOString() })
}

const LONG_MS = 2 * 86_400_000

interface DrawingProps {
  readonly bars: readonly Bar[]
  /** The first and the last bar that are chosen. */
  readonly brush: readonly [number, number] | undefined
}

function HistogramDrawing({ bars, brush }: DrawingProps) {
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
function HistogramAxis({ bars, to }: { readonly bars: readonly Bar[]; readonly to: string }) {
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
