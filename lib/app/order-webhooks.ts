import { intakeApp } from './intake.ts'
import { orders } from './order-effect.ts'

/** For webhooks that change orders. */
export const app = await intakeApp([orders])
