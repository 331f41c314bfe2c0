import { dynamoOrders, dynamoPayments } from '../adapters/dynamodb/changed-rows.ts'
import { loadConfig } from '../runtime/config.ts'
import { ordersStoreSettings, paymentsStoreSettings } from '../runtime/settings/stores.ts'
import { makeApi } from './api.ts'
import { documents } from './clients.ts'

/** For operators who look at payments. */
export async function makePayments() {
  const { PAYMENTS_TABLE } = loadConfig(paymentsStoreSettings)
  return { ...(await makeApi()), payments: dynamoPayments(documents(), PAYMENTS_TABLE) }
}

/** For operators who look at orders. */
export async function makeOrders() {
  const { ORDERS_TABLE } = loadConfig(ordersStoreSettings)
  return { ...(await makeApi()), orders: dynamoOrders(documents(), ORDERS_TABLE) }
}
