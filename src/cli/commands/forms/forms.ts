import type { CommandBuilder } from '../../framework/command.ts';
import { addCrudCommands, addGroup } from '../../resources/resource.ts';
import { addStatusVerb } from '../../resources/verbs.ts';
import { answerFlags } from './answers.ts';
import { formView, submissionTable, submissionView } from './views.ts';

export const forms: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'forms',
    view: formView,
    examples: {
      list: ['cs forms list --status published', 'cs forms list --json=name,slug,submissionCount'],
      get: ['cs forms get feedback'],
      create: [
        'cs forms create --name "Test drive" --input \'{"fields":[{"key":"day","label":"Which day?","type":"date"}]}\'',
        'cs forms create --name "Lost and found" --dry-run',
      ],
      update: ['cs forms update feedback --description "Asked after each pick-up."'],
    },
  });
  const of = { resource: 'forms', view: formView } as const;
  addStatusVerb(
    command,
    {
      name: 'publish',
      to: 'published',
      pastTense: 'published',
      about: 'Publish a form, or reopen a closed one',
      examples: ['cs forms publish feedback', 'cs forms publish feedback --dry-run'],
    },
    of,
  );
  addStatusVerb(
    command,
    {
      name: 'close',
      to: 'closed',
      pastTense: 'closed',
      about: 'Close a form for new answers; submissions are kept',
      examples: [
        'cs forms close feedback',
        'cs forms list --status published -o id | cs forms close --ids - --dry-run',
      ],
    },
    of,
  );
  const submissions = addGroup(command, {
    noun: 'submissions',
    alias: 'submission',
    summary: 'Submitted answers',
    resource: 'formSubmissions',
    view: submissionView,
    verbs: ['list', 'get', 'update'],
    arrange: submissionTable,
    examples: {
      list: [
        'cs forms submissions list feedback --status new',
        'cs forms submissions list feedback --all -o csv',
      ],
      get: ['cs forms submissions get feedback visit-17'],
      update: ['cs forms submissions update feedback visit-17 --status reviewed'],
    },
  });
  addCrudCommands(submissions, {
    resource: 'formSubmissions',
    view: submissionView,
    verbs: ['create'],
    more: answerFlags,
    examples: {
      create: ['cs forms submissions create feedback --answer rating=5 --customer "Ann Lee"'],
    },
  });
  command.examples([
    'cs forms list',
    'cs forms publish feedback',
    'cs forms submissions list feedback --all -o csv',
  ]);
};
