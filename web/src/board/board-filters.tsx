import { useId } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import styles from './board-filters.module.css'
import { useText } from './board-text.ts'
import { type BoardView, type Show, SHOWS } from './board-view.ts'

interface BoardFiltersProps {
  view: BoardView
  counts: Readonly<Record<Show, number>>
  onChange: (view: BoardView) => void
}

export function BoardFilters({ view, counts, onChange }: BoardFiltersProps) {
  const text = useText()
  const id = useId()
  return (
    <search className={styles.filters}>
      <ToggleButtonGroup
        className={styles.choices ?? ''}
        aria-label={text.filters}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[view.show]}
        onSelectionChange={(keys) => {
          const show = SHOWS.find((each) => keys.has(each))
          if (show !== undefined) onChange({ ...view, show })
        }}
      >
        {SHOWS.map((show) => (
          <ToggleButton
            key={show}
            id={show}
            className={styles.choice ?? ''}
            data-urgent={show === 'help' && counts.help > 0}
          >
            <span>{text.show[show]}</span> <span className={styles.count}>{counts[show]}</span>
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <div className={styles.search}>
        <label htmlFor={id} className="visually-hidden">
          {text.search}
        </label>
        <input
          id={id}
          type="search"
          placeholder={text.search}
          autoComplete="off"
          value={view.search}
          onChange={({ target }) => onChange({ ...view, search: target.value })}
        />
      </div>
    </search>
  )
}
