import { mount } from '../mount.tsx'
import { WebhooksPage } from '../webhooks/page.tsx'

mount(<WebhooksPage />)
