/** At most so many letters may differ. */
const MOST_EDITS = 2

/**
 * The name that was probably meant; undefined if none is close.
 * @param {string} given
 * @param {Iterable<string>} names
 * @returns {string | undefined}
 */
export function nearestName(given, names) {
  const [nearest] = [...names]
    .map((name) => ({ name, edits: editsBetween(given.toLowerCase(), name) }))
    .filter(({ name, edits }) => edits <= Math.min(MOST_EDITS, name.length - 1))
    .sort((one, other) => one.edits - other.edits)
  return nearest?.name
}

/**
 * How many letters have to be added, removed, replaced, or swapped with the next one (optimal string alignment).
 * @param {string} one
 * @param {string} other
 */
function editsBetween(one, other) {
  /** @type {number[][]} */
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (/** @type {number} */ row, /** @type {number} */ column) =>
    rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    rows.push(current)
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(one.length, other.length)
}
