import { WebhooksPage } from '../events/page.tsx'
import { mount } from '../mount.tsx'

mount(WebhooksPage)
