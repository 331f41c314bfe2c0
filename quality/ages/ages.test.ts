import { expect, it } from 'vitest'
import { pythonWith } from '../../test/support/python.ts'
import { WELL, watchAges } from './ages.ts'

const python = pythonWith('grpc', 'grpc_tools')

/** `npm run quality -- ages` in small. */
it.skipIf(python === undefined)(
  'G05 watches of grpc-js and python3-grpcio outlast two ages of their connections: no event is missed or repeated, and each connection ends with UNAVAILABLE',
  { timeout: 180_000 },
  async () => {
    const { sent, watched } = await watchAges({ age: 10, seconds: 25, python: python ?? '' })
    expect(sent).toBeGreaterThan(20)
    expect(watched).toMatchObject(watched.map(() => ({ missed: [], twice: [] })))
    for (const { ends } of watched) {
      expect(ends.length).toBeGreaterThanOrEqual(2)
      expect(new Set(ends)).toEqual(new Set([WELL]))
    }
  },
)
