/** A list of the settings: its table, a link or an end for each entry, and a form for another one. */
import { useMemo, useState } from 'preact/hooks';
import { newIdempotencyKey } from '../call.ts';
import { type Link, type Lists, readAll, write } from '../read.ts';
import { asked } from '../router.ts';
import { useLoaded } from '../use-loaded.ts';
import { Cancel, closeDialog, Dialog } from './dialog.tsx';
import {
  Button,
  Failure,
  Field,
  Form,
  type Options,
  Select,
  useAction,
  useFields,
} from './form.tsx';
import { OneTimeLink } from './one-time-link.tsx';
import { Card, Data, Empty } from './page.tsx';
import { type Column, Table } from './table.tsx';

type Name = 'admins' | 'screens' | 'sessions';
type Row<N extends Name = Name> = Lists[`team/${N}`];

interface Props<N extends Name> {
  readonly list: N;
  readonly caption: string;
  readonly about: string;
  readonly columns: readonly Column<Row<N>>[];
  /** Shown where the list has no entry. */
  readonly empty?: { readonly title: string; readonly text: string };
  /** How an entry ends. Undefined for one that can't be ended here. */
  readonly end: (row: Row<N>) => End | undefined;
  /** The new link of an entry. */
  readonly link?: (row: Row<N>) => LinkWords;
  readonly add?: Add;
}

interface End {
  readonly verb: 'Remove' | 'End';
  /** `ada@garage.example`. */
  readonly what: string;
  /** What it does. */
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
  readonly name: 'email' | 'name';
  readonly label: string;
  readonly about?: string;
  /** A choice beside it, whose first option is the usual one. */
  readonly choice?: {
    readonly field: string;
    readonly label: string;
    readonly options: Options;
  };
}

export function TeamList<N extends Name>(props: Props<N>) {
  const { list, about, caption, columns, end, link, add, empty } = props;
  const loaded = useLoaded(list, () => readAll(`team/${list}`));
  const [made, setMade] = useState<Link & LinkWords>();
  const show = (row: Row<N>, { link: address, linkEndsAt }: Link) => {
    if (link) setMade({ ...link(row), link: address, linkEndsAt });
    loaded.reload();
  };
  const actions: Column<Row<N>> = {
    title: 'Actions',
    cell(row) {
      const words = link?.(row);
      const ends = end(row);
      return (
        (words || ends) && (
          <div class="actions">
            {words && (
              <NewLinkButton
                path={`team/${list}/${row.id}/links`}
                name={words.name}
                onLink={(it) => show(row, it)}
              />
            )}
            {ends && (
              <a
                class="button danger"
                href={`?do=remove&id=${row.id}`}
                aria-label={`${ends.verb} ${ends.what}…`}
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
      <Data
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
                <Table
                  caption={caption}
                  keyOf={({ id }) => id}
                  rows={rows}
                  columns={[...columns, actions]}
                />
              )}
              {ends && (
                <EndDialog path={`team/${list}/${endingId}`} {...ends} onDone={loaded.reload} />
              )}
            </>
          );
        }}
      />
      {add && (
        <AddForm path={`team/${list}`} {...add} onMade={(row) => show(row as Row<N> & Link, row)} />
      )}
    </div>
  );
}

interface NewLinkProps {
  readonly path: string;
  readonly name: string;
  readonly onLink: (link: Link) => void;
}

function NewLinkButton({ path, name, onLink }: NewLinkProps) {
  const make = useAction(async () => onLink(await write('POST', path)));
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
  readonly path: string;
  readonly onDone: () => void;
}

function EndDialog({ path, verb, what, text, onDone }: EndProps) {
  const remove = useAction(async () => {
    await write('DELETE', path);
    closeDialog();
    onDone();
  });
  return (
    <Dialog title={`${verb} ${what}?`} onClose={closeDialog}>
      <p>{text}</p>
      <Form action={remove} submit={verb} isDanger beside={<Cancel />} />
    </Dialog>
  );
}

interface AddProps extends Add {
  readonly path: string;
  readonly onMade: (row: Row & Link) => void;
}

function AddForm(props: AddProps) {
  const { path, title, submit, name, label, about, choice, onMade } = props;
  const { values, field, clear } = useFields({
    [name]: '',
    ...(choice && { [choice.field]: choice.options[0]?.[0] ?? '' }),
  });
  const text = values[name]?.trim() ?? '';
  const [added, setAdded] = useState(0);
  // One for what is typed: a double click, or a repeat after a lost answer, adds one.
  const idempotencyKey = useMemo(newIdempotencyKey, [values, added]);
  const action = useAction(async () => {
    const body = { ...values, [name]: text };
    const row = await write<Row & Link>('POST', path, body, { idempotencyKey });
    clear();
    setAdded(added + 1);
    onMade(row);
  });
  return (
    <Card title={title}>
      <Form action={action} submit={submit} isBlocked={text === ''}>
        <Field
          label={label}
          {...field(name)}
          type={name === 'email' ? 'email' : 'text'}
          about={about}
        />
        {choice && (
          <Select label={choice.label} {...field(choice.field)} options={choice.options} />
        )}
      </Form>
    </Card>
  );
}
