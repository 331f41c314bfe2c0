import { env } from 'node:process'

/** Whether everything is run: by `npm run quality -- nightly`. */
export const IS_FULL = Boolean(env['RUN_IN_FULL'])

/** `many`, or few of them: a twentieth by default. */
export const inFull = (many: number, few = Math.ceil(many / 20)): number => (IS_FULL ? many : few)

/** All of a table, or every twentieth row of it. */
export const partOf = <T>(rows: readonly T[]): readonly T[] =>
  IS_FULL ? rows : rows.filter((_, index) => index % 20 === 0)
