import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import { it } from 'vitest'

it('npm run lint finds nothing', async () => {
  await promisify(exec)('npm run --silent lint').catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}`)
  })
})
