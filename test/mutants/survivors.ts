interface Equivalent {
  /** As `npm run mutants` prints them. */
  readonly changes: readonly string[]
  /** Why no test can tell the mutant from the code. */
  readonly reason: string
}

/** The mutants that live because they are no bugs, by file. */
export const SURVIVORS: Readonly<Record<string, readonly Equivalent[]>> = {}
