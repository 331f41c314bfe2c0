import { intakeApp } from './intake.ts'
import { payments } from './payment-effect.ts'

/** For webhooks that change payments. */
export const app = await intakeApp([payments])
