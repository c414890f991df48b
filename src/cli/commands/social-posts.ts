import type { CommandBuilder } from '../framework/command.ts';
import { onlyIdColumn, timeColumn } from '../output/view.ts';
import { firstLine } from '../resources/labels.ts';
import { addCrudCommands } from '../resources/resource.ts';
import { reference, state, viewOf } from '../resources/view.ts';

const socialPostView = viewOf('socialPosts', {
  columns: [
    { header: 'text', cell: (row) => firstLine(row.body) },
    state(),
    timeColumn('scheduled', 'scheduledAt'),
    timeColumn('published', 'publishedAt'),
    reference('campaign', 'campaignId', 'campaigns'),
    onlyIdColumn,
  ],
  emptyHint: 'Write one with `cs social-posts create --body TEXT`.',
});

export const socialPosts: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'socialPosts',
    view: socialPostView,
    examples: {
      list: [
        'cs social-posts list --status scheduled',
        'cs social-posts list --from now --social-account @carstorage',
      ],
      get: ['cs social-posts get POST'],
      create: [
        'cs social-posts create --body "Winter is coming." --social-accounts @carstorage --scheduled-at "2090-11-01 9:00" --status scheduled',
      ],
      update: [
        'cs social-posts update POST --status scheduled',
        'cs social-posts update POST --status cancelled',
      ],
    },
  });
  command.examples([
    'cs social-posts list --status scheduled',
    'cs social-posts create --body "A draft."',
  ]);
};
