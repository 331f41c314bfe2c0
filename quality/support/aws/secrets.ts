import { randomUUID } from 'node:crypto'
import { type Asked, type Operations, Refusal } from './answers.ts'

interface Secret {
  /** By their ids, oldest first. */
  readonly versions: Map<string, string>
  /** The version that each stage names. */
  readonly stages: Map<string, string>
  isGoing: boolean
}

/** Secrets Manager, as far as the pages of this project use it. */
export function secretsManager(): Operations {
  const secrets = new Map<string, Secret>()

  function find({ SecretId: id = '' }: Asked): Secret {
    const secret = secrets.get(id)
    if (secret === undefined)
      throw new Refusal('ResourceNotFoundException', "Secrets Manager can't find the specified secret.")
    return secret
  }

  function current(asked: Asked): Secret {
    const secret = find(asked)
    if (secret.isGoing) throw new Refusal('InvalidRequestException', 'The secret was marked for deletion.')
    return secret
  }

  function add({ versions, stages }: Secret, text: string): string {
    const version = randomUUID()
    const former = stages.get('AWSCURRENT')
    versions.set(version, text)
    if (former !== undefined) stages.set('AWSPREVIOUS', former)
    stages.set('AWSCURRENT', version)
    return version
  }

  return {
    'secretsmanager.CreateSecret': ({ Name: name = '', SecretString: text = '' }) => {
      if (secrets.get(name)?.isGoing)
        throw new Refusal('InvalidRequestException', 'A secret with this name is already scheduled for deletion.')
      if (secrets.has(name)) throw new Refusal('ResourceExistsException', `The secret ${name} already exists.`)
      const secret: Secret = { versions: new Map(), stages: new Map(), isGoing: false }
      secrets.set(name, secret)
      return { ARN: `arn:aws:secretsmanager:::secret:${name}`, Name: name, VersionId: add(secret, text) }
    },
    'secretsmanager.DescribeSecret': (asked) => {
      current(asked)
      return { Name: asked['SecretId'] }
    },
    'secretsmanager.GetSecretValue': (asked) => {
      const { versions, stages } = current(asked)
      const version = stages.get(asked['VersionStage'] ?? 'AWSCURRENT') ?? ''
      return { Name: asked['SecretId'], VersionId: version, SecretString: versions.get(version) }
    },
    'secretsmanager.PutSecretValue': (asked) => ({ VersionId: add(current(asked), asked['SecretString'] ?? '') }),
    'secretsmanager.ListSecretVersionIds': (asked) => {
      const { versions, stages } = current(asked)
      const named = (version: string) => [...stages].filter(([, id]) => id === version).map(([stage]) => stage)
      return { Versions: [...versions.keys()].map((VersionId) => ({ VersionId, VersionStages: named(VersionId) })) }
    },
    'secretsmanager.UpdateSecretVersionStage': (asked) => {
      const { stages } = current(asked)
      const { VersionStage: stage = '', MoveToVersionId: to = '', RemoveFromVersionId: from } = asked
      if (stages.get(stage) !== from)
        throw new Refusal('InvalidParameterException', `${stage} is not attached to the version to remove it from.`)
      stages.set(stage, to)
      if (stage === 'AWSCURRENT' && from !== undefined) stages.set('AWSPREVIOUS', from)
      return {}
    },
    'secretsmanager.DeleteSecret': (asked) => {
      current(asked).isGoing = true
      return { Name: asked['SecretId'] }
    },
    'secretsmanager.RestoreSecret': (asked) => {
      find(asked).isGoing = false
      return { Name: asked['SecretId'] }
    },
  }
}
