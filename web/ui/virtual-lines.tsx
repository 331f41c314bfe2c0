import { useSignal } from '@preact/signals'
import type { ComponentChildren, HTMLAttributes } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

interface VirtualLinesProps extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  readonly count: number
  /** Draws a line; all lines have one height. */
  readonly line: (index: number) => ComponentChildren
  /** The line to be in sight. */
  readonly seen?: number | undefined
}

/** Lines that scroll by themselves; only those in sight are in the document. */
export function VirtualLines({ count, line, seen, ...attributes }: VirtualLinesProps) {
  const box = useRef<HTMLDivElement>(null)
  const sight = useSignal<Sight>({ top: 0, height: 900, unit: 22 })

  function look(): void {
    const element = box.current
    const unit = element?.querySelector('.line-of')?.getBoundingClientRect().height
    if (element && unit) sight.value = { top: element.scrollTop, height: element.clientHeight, unit }
  }

  useLayoutEffect(() => {
    const observer = new ResizeObserver(look)
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    const element = box.current
    if (!element || seen === undefined) return
    const { height, unit } = sight.peek()
    if (!isInSight(sight.peek(), count, seen)) element.scrollTop = topOf(sight.peek(), count, seen - height / unit / 3)
  }, [seen, count])

  const { first, last, before, after } = sightOf(sight.value, count)
  const shown = Array.from({ length: last - first }, (_, index) => line(first + index))
  return (
    <div {...attributes} ref={box} onScroll={look}>
      <svg class="gap" width="1" height={before} aria-hidden="true" />
      {shown}
      <svg class="gap" width="1" height={after} aria-hidden="true" />
    </div>
  )
}

/** What one sees of a long list, in pixels. */
export interface Sight {
  /** How far it is scrolled. */
  readonly top: number
  readonly height: number
  /** The height of a line. */
  readonly unit: number
}

interface Drawn {
  /** The lines to draw: from `first` up to but without `last`. */
  readonly first: number
  readonly last: number
  /** The heights of the gaps in place of the others. */
  readonly before: number
  readonly after: number
}

/** Browsers draw nothing beyond about 33 million pixels. */
const MAXIMUM_HEIGHT = 20_000_000

/** The part of a line that may be hidden. */
const ALMOST = 0.01

/** Lines drawn beyond both edges. */
const SPARE = 10

/** The lines to draw. A list that is too high for a browser moves by more than one line for the height of a line. */
export function sightOf(sight: Sight, count: number): Drawn {
  const { top, height, unit } = sight
  const atTop = lineAtTop(sight, count)
  const first = Math.max(0, Math.floor(atTop) - SPARE)
  const last = Math.min(count, Math.ceil(atTop + height / unit) + SPARE)
  const before = Math.max(0, top - (atTop - first) * unit)
  return { first, last, before, after: Math.max(0, heightOf(unit, count) - before - (last - first) * unit) }
}

/** How far to scroll until a line is at the top. */
export function topOf(sight: Sight, count: number, line: number): number {
  const { room, lines } = spaceOf(sight, count)
  return lines === 0 ? 0 : Math.min(1, Math.max(0, line / lines)) * room
}

export function isInSight(sight: Sight, count: number, line: number): boolean {
  const atTop = lineAtTop(sight, count)
  return line >= atTop - ALMOST && line + 1 <= atTop + sight.height / sight.unit + ALMOST
}

/** The line at the top, with its hidden part as a fraction. */
function lineAtTop(sight: Sight, count: number): number {
  const { room, lines } = spaceOf(sight, count)
  return room === 0 ? 0 : Math.min(1, sight.top / room) * lines
}

/** How far one can scroll, in pixels and in lines. */
function spaceOf({ height, unit }: Sight, count: number) {
  return { room: Math.max(0, heightOf(unit, count) - height), lines: Math.max(0, count - height / unit) }
}

function heightOf(unit: number, count: number): number {
  return Math.min(count * unit, MAXIMUM_HEIGHT)
}
