import { orderEffect } from '../adapters/dynamodb/order-write.ts'
import { loadConfig } from '../platform/config.ts'
import { ordersStoreSettings } from '../platform/settings/stores.ts'

/** Webhooks that change orders. */
export const orders = orderEffect(loadConfig(ordersStoreSettings).ORDERS_TABLE)
