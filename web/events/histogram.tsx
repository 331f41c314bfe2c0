import { useSignal } from '@preact/signals'
import { spanText } from './bar-texts.ts'
import { type Bar, barsOf, HEIGHT, lengthText, WIDTH } from './bars.ts'
import type { Counts } from './calls.ts'
import { type BarChoice, chosenBars, movedChoice } from './choice.ts'
import { counts } from './counts.ts'
import { HistogramAxis, HistogramDrawing } from './histogram-drawing.tsx'
import { narrow, place } from './navigation.ts'

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
  const bars = barsOf(found, place.value.filter.status)
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
