import { env } from 'node:process'

/** `many`, or a twentieth of it: `npm run quality -- long` runs such tests in full. */
export const inFull = (many: number): number => (env['RUN_IN_FULL'] ? many : Math.ceil(many / 20))

/** All of a table, or every twentieth row of it. */
export const partOf = <T>(rows: readonly T[]): readonly T[] =>
  env['RUN_IN_FULL'] ? rows : rows.filter((_, index) => index % 20 === 0)
