import { intakeApp } from './intake.ts'

/** For every webhook endpoint of its own. */
export const app = await intakeApp()
