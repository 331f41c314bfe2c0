const FIRST_MS = 200
const LONGEST_MS = 30_000

/**
 * How long to wait after so many failures in a row: twice as long each time, and never the same for two instances.
 * @param random from 0 up to 1
 */
export function pauseAfter(failures: number, random: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1))
  return (longest * (1 + random)) / 2
}
