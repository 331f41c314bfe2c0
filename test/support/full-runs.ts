import { env } from 'node:process'

/** `many`, or a twentieth of it: `npm run quality -- long` runs such tests in full. */
export const inFull = (many: number): number => (env['RUN_IN_FULL'] ? many : Math.ceil(many / 20))
