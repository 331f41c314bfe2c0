/** The bar that a choice began with, and the one that it has come to. */
export type BarChoice = readonly [anchor: number, at: number]

/** The choice after a key, of bars from 0 to `last`; undefined for a key that does not move it. */
export function movedChoice(
  choice: BarChoice | undefined,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  last: number,
): BarChoice | undefined {
  const step = { ArrowLeft: -1, ArrowRight: 1, Home: -last, End: last }[key]
  if (step === undefined) return undefined
  if (!choice) return key === 'Home' ? [0, 0] : [last, last]
  const [anchor, at] = choice
  const next = Math.min(last, Math.max(0, at + step))
  return [shiftKey ? anchor : next, next]
}

/** The first and the last bar of a choice. */
export function chosenBars([anchor, at]: BarChoice): readonly [number, number] {
  return anchor < at ? [anchor, at] : [at, anchor]
}
