import { argv } from 'node:process'

/** Whether everything is done once or twice only, to see that it runs; what is measured then means nothing. */
export const IS_SHORT = argv.includes('--short')

/** How much of something is done. */
export function effort<T>(usual: T, short: T): T {
  return IS_SHORT ? short : usual
}
