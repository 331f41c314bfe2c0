import { dynamoReplayList } from '../adapters/dynamodb/replay-list.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { replayStoreSettings } from '../runtime/settings/stores.ts'
import { makeApi } from './api.ts'
import { documents } from './clients.ts'

/** For operators who look at replays. */
export async function makeReplayList(environment?: Environment) {
  const { REPLAYS_TABLE } = loadConfig({ REPLAYS_TABLE: replayStoreSettings.REPLAYS_TABLE }, [], environment)
  return { ...(await makeApi(environment)), replays: dynamoReplayList(documents(), REPLAYS_TABLE) }
}
