import { DestinationsPage } from '../destinations/page.tsx'
import { mount } from '../mount.tsx'

mount(DestinationsPage)
