import { secretsReadable } from '../webhooks/readable-secrets.ts'
import { intakeApp } from './intake.ts'
import { orders } from './order-effect.ts'
import { payments } from './payment-effect.ts'

/** For webhooks of any provider: a name in other letters may be one of our own. */
export const app = await intakeApp([payments, orders], [secretsReadable])
