import { paymentEffect } from '../adapters/dynamodb/payment-write.ts'
import { loadConfig } from '../platform/config.ts'
import { paymentsStoreSettings } from '../platform/settings/stores.ts'

/** Webhooks that change payments. */
export const payments = paymentEffect(loadConfig(paymentsStoreSettings).PAYMENTS_TABLE)
