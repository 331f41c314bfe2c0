import { useSignal } from '@preact/signals'
import type { ComponentChildren, HTMLAttributes } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isInSight, type Sight, sightOf, topOf } from './virtual-sight.ts'

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
