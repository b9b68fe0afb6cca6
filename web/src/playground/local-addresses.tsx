import type { LocalState } from './playground-api.ts'
import styles from './playground.module.css'
import { useText } from './text.ts'

/** Addresses, ids and folders for scripts. */
export function LocalAddresses({ local }: { local: LocalState }) {
  const text = useText().addresses
  const rows = [
    [text.baseUrl, local.base_url],
    [text.tenant, local.tenant_id],
    [text.key, local.key_id],
    [text.media, local.media_url],
    [text.dataDir, local.data_dir],
  ] as const
  return (
    <footer className={styles.addresses}>
      <h2>{text.title}</h2>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </footer>
  )
}
