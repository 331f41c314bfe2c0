/**
 * Recognizes repeated keys.
 * @param limit how many keys it keeps; the oldest goes first
 */
export function createRepeats(limit: number) {
  const seen = new Set<string>()
  return {
    /** Remembers the key. */
    isRepeat(key: string): boolean {
      if (seen.has(key)) return true
      seen.add(key)
      for (const oldest of seen) {
        if (seen.size <= limit) break
        seen.delete(oldest)
      }
      return false
    },
  }
}
