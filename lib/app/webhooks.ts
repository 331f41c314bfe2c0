import { intakeApp } from './intake.ts'

/** For webhooks that change no rows but their own. */
export const app = await intakeApp([])
