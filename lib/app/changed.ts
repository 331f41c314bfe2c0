import { dynamoOrders, dynamoPayments } from '../adapters/dynamodb/changed-rows.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { ordersStoreSettings, paymentsStoreSettings } from '../runtime/settings/stores.ts'
import { makeApi } from './api.ts'
import { documents } from './clients.ts'

/** For operators who look at payments. */
export async function makePayments(environment?: Environment) {
  const { PAYMENTS_TABLE } = loadConfig(paymentsStoreSettings, [], environment)
  return { ...(await makeApi(environment)), payments: dynamoPayments(documents(), PAYMENTS_TABLE) }
}

/** For operators who look at orders. */
export async function makeOrders(environment?: Environment) {
  const { ORDERS_TABLE } = loadConfig(ordersStoreSettings, [], environment)
  return { ...(await makeApi(environment)), orders: dynamoOrders(documents(), ORDERS_TABLE) }
}
