import { retriesFor } from '../provider.ts'
import { standardProvider, standardSample } from '../standard-sender.ts'

export const provider = standardProvider('webhook', retriesFor(72, true))

export const sample = () =>
  standardSample('webhook', ['response.completed', 'batch.completed', 'fine_tuning.job.succeeded'])
