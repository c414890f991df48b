/** A list of the settings: its table, a link or an end for each entry, and a form for another one. */
import { useMemo, useState } from 'preact/hooks';
import { newIdempotencyKey } from '../call.ts';
import { type Link, type Lists, readAll, write } from '../read.ts';
import { asked } from '../router.ts';
import { useLoaded } from '../use-loaded.ts';
import { Cancel, closeDialog, Dialog } from './dialog.tsx';
import { Button, Failure, Field, Form, type Options, Select, useAction } from './form.tsx';
import { OneTimeLink } from './one-time-link.tsx';
import { Data, Empty } from './page.tsx';
import { type Column, Table } from './table.tsx';

type Name = 'admins' | 'screens' | 'sessions';
type Row = Lists[`team/${Name}`];

interface Props<T> {
  readonly list: Name;
  readonly caption: string;
  readonly about: string;
  readonly columns: readonly Column<T>[];
  /** Shown where the list has no entry. */
  readonly empty?: { readonly title: string; readonly text: string };
  /** How an entry ends. Undefined for one that can't be ended here. */
  readonly end: (row: T) => End | undefined;
  /** The new link of an entry. */
  readonly link?: (row: T) => LinkWords;
  readonly add?: Add;
}

interface End {
  /** `Remove`. */
  readonly verb: string;
  /** `Remove ada@garage.example`. */
  readonly label: string;
  readonly question: string;
  readonly submit: string;
  readonly text: string;
}

interface LinkWords {
  /** Whom it is for. */
  readonly name: string;
  readonly title: string;
  /** Of the link as a code to scan. */
  readonly codeTitle?: string;
  readonly about?: string;
}

interface Add {
  readonly title: string;
  readonly submit: string;
  readonly field: 'email' | 'name';
  readonly label: string;
  readonly about?: string;
  /** A choice beside it, whose first option is the usual one. */
  readonly choice?: {
    readonly field: string;
    readonly label: string;
    readonly options: Options;
  };
}

export function TeamList<T extends Row>(props: Props<T>) {
  const { list, about, caption, columns, end, link, add, empty } = props;
  const loaded = useLoaded(
    list,
    () => readAll(`team/${list}`, {}) as Promise<unknown> as Promise<readonly T[]>,
  );
  const [made, setMade] = useState<Link & LinkWords>();
  const show = (row: T, { link: address, linkEndsAt }: Link) => {
    if (link) setMade({ ...link(row), link: address, linkEndsAt });
    loaded.reload();
  };
  const actions: Column<T> = {
    title: 'Actions',
    cell: (row) => {
      const ends = end(row);
      return (
        (link || ends) && (
          <div class="actions">
            {link && (
              <NewLinkButton
                list={list}
                id={row.id}
                name={link(row).name}
                onLink={(it) => show(row, it)}
              />
            )}
            {ends && (
              <a
                class="button danger"
                href={`?do=remove&id=${row.id}`}
                aria-label={`${ends.label}…`}
              >
                {ends.verb}…
              </a>
            )}
          </div>
        )
      );
    },
  };
  const endingId = asked('do') === 'remove' ? asked('id') : undefined;
  return (
    <div class="stack">
      <p>{about}</p>
      {made && (
        <OneTimeLink key={made.link} {...made} onDone={() => setMade(undefined)}>
          {made.about && <p>{made.about}</p>}
        </OneTimeLink>
      )}
      <Data<readonly T[]>
        of={loaded}
        show={(rows) => {
          const ending = rows.find(({ id }) => id === endingId);
          const ends = ending && end(ending);
          return (
            <>
              {empty && rows.length === 0 ? (
                <Empty title={empty.title}>
                  <p>{empty.text}</p>
                </Empty>
              ) : (
                <Table<T>
                  caption={caption}
                  keyOf={({ id }) => id}
                  rows={rows}
                  columns={[...columns, actions]}
                />
              )}
              {ending && ends && (
                <EndDialog list={list} id={ending.id} {...ends} onDone={loaded.reload} />
              )}
            </>
          );
        }}
      />
      {add && <AddForm list={list} {...add} onMade={(row) => show(row as T & Link, row)} />}
    </div>
  );
}

interface NewLinkProps {
  readonly list: Name;
  readonly id: string;
  readonly name: string;
  readonly onLink: (link: Link) => void;
}

function NewLinkButton({ list, id, name, onLink }: NewLinkProps) {
  const make = useAction(async () => onLink(await write('POST', `team/${list}/${id}/links`)));
  return (
    <div>
      <Button action={make} aria-label={`New link for ${name}`}>
        New link
      </Button>
      <Failure error={make.error} />
    </div>
  );
}

interface EndProps extends End {
  readonly list: Name;
  readonly id: string;
  readonly onDone: () => void;
}

function EndDialog({ list, id, question, submit, text, onDone }: EndProps) {
  const remove = useAction(async () => {
    await write('DELETE', `team/${list}/${id}`);
    closeDialog();
    onDone();
  });
  return (
    <Dialog title={question} onClose={closeDialog}>
      <p>{text}</p>
      <Form action={remove} submit={submit} isDanger beside={<Cancel />} />
    </Dialog>
  );
}

interface AddProps extends Add {
  readonly list: Name;
  readonly onMade: (row: Row & Link) => void;
}

function AddForm(props: AddProps) {
  const { list, title, submit, field, label, about, choice, onMade } = props;
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(choice?.options[0]?.[0] ?? '');
  const [added, setAdded] = useState(0);
  // One for what is typed: a double click, or a repeat after a lost answer, adds one.
  const idempotencyKey = useMemo(newIdempotencyKey, [text, chosen, added]);
  const action = useAction(async () => {
    const body = { [field]: text.trim(), ...(choice && { [choice.field]: chosen }) };
    const row = await write<Row & Link>('POST', `team/${list}`, body, { idempotencyKey });
    setText('');
    setAdded(added + 1);
    onMade(row);
  });
  return (
    <section class="card" aria-labelledby="add">
      <h2 id="add">{title}</h2>
      <Form action={action} submit={submit} isBlocked={text.trim() === ''}>
        <Field
          label={label}
          name={field}
          type={field === 'email' ? 'email' : 'text'}
          value={text}
          onInput={setText}
          about={about}
        />
        {choice && (
          <Select
            label={choice.label}
            value={chosen}
            options={choice.options}
            onInput={setChosen}
          />
        )}
      </Form>
    </section>
  );
}
