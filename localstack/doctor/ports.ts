import { type Finding, failing, passed } from '../../infra/finding.ts'
import { MAXIMUM_OFFSET, type PortName, type Ports, purposeOf } from '../ports.ts'

interface Probe {
  readonly offset: number
  readonly portsAt: (offset: number) => Ports
  /** The ports that a run would listen on. */
  readonly wanted: readonly PortName[]
  /** Whether no process listens on the port. */
  readonly isFree: (port: number) => Promise<boolean>
}

/** Checks that a run could listen on its ports; one finding per taken port. */
export async function checkPorts({ offset, portsAt, wanted, isFree }: Probe): Promise<readonly Finding[]> {
  const ports = portsAt(offset)
  const taken = await takenOf(ports, wanted, isFree)
  if (taken.length === 0) return [passed('ports', `free: ${wanted.map((name) => ports[name]).join(', ')}`)]
  const other = await freeOffset({ portsAt, wanted, isFree })
  const remedy = `PORT_OFFSET=${other ?? '<n>'} moves every port, or end the process that listens there`
  return taken.map((name) => failing('ports', `${ports[name]} (${purposeOf(name)}) is taken`, remedy))
}

async function takenOf(
  ports: Ports,
  names: readonly PortName[],
  isFree: Probe['isFree'],
): Promise<readonly PortName[]> {
  const free = await Promise.all(names.map((name) => isFree(ports[name])))
  return names.filter((_, index) => !free[index])
}

const STEP = 1000
const HIGHEST = 65_535

/** The first offset, in thousands, at which all ports are free. */
async function freeOffset({ portsAt, wanted, isFree }: Omit<Probe, 'offset'>): Promise<number | undefined> {
  for (let offset = STEP; offset <= MAXIMUM_OFFSET; offset += STEP) {
    const ports = portsAt(offset)
    const isThere = wanted.every((name) => ports[name] <= HIGHEST)
    if (isThere && (await takenOf(ports, wanted, isFree)).length === 0) return offset
  }
  return undefined
}
