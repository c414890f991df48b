import { basename, dirname, join } from 'node:path';
import { configurationProblem } from '../../config/connection.ts';
import { usage } from '../../errors/exit.ts';
import { unusableFile } from '../../errors/file-system.ts';
import { Argument, type CommandBuilder } from '../../framework/command.ts';
import { makeFolder } from '../../input/make-folder.ts';
import { saveFile } from '../../output/save-file.ts';
import { type Io, write } from '../../terminal/io.ts';
import { type Shell, scriptNames, scripts, shells } from './scripts.ts';

export const completion: CommandBuilder = (command) => {
  // Every new shell runs this, so a broken configuration must not make it fail.
  command
    .tolerateEnvironment()
    .description('Print the completion script for commands, flags and values of a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .handle(async ({ io, warn }, { args: [shell] }) => {
      await write(io.stdout, scripts[shell as Shell]);
      const broken = configurationProblem(io);
      if (broken) warn(broken);
    });
  command.examples(['cs completion install', 'source <(cs completion bash)']);
  const install = command
    .command('install')
    .summary('Install completion for your shell')
    .description(
      'Write the completion script to where the shell looks for it, and print its path. It stays right when cs is updated.',
    )
    .addArgument(new Argument('[shell]', 'the shell (default: that of SHELL)').choices(shells))
    .handle(async ({ io, output, note }, { args: [given] }) => {
      const shell = (given as Shell | undefined) ?? shellOf(io);
      const { file, next } = places[shell](io);
      try {
        makeFolder(dirname(file));
      } catch (error) {
        throw unusableFile(`Couldn't create ${dirname(file)}`, error, {
          hint: `print it instead: cs completion ${shell}`,
        });
      }
      await saveFile(file, [Buffer.from(scripts[shell])], { overwrite: true });
      await output.value({ shell, file }, file);
      note(next);
    });
  install.examples(['cs completion install', 'cs completion install zsh']);
};

function shellOf({ env }: Io): Shell {
  const name = basename(env.SHELL ?? '');
  const found = shells.find((shell) => shell === name);
  if (found) return found;
  throw usage(
    name ? `No completion exists for the shell ${name}.` : 'SHELL is not set.',
    `name the shell: cs completion install ${shells.join('|')}`,
  );
}

/** Where each shell looks by itself, and what is left to the person. */
const places: Readonly<Record<Shell, (io: Io) => { file: string; next: string }>> = {
  bash({ env, home }) {
    const data = env.XDG_DATA_HOME || join(home, '.local/share');
    const file = join(data, 'bash-completion/completions/cs');
    return {
      file,
      next: `Open a new shell. If Tab completes nothing there, the package bash-completion is missing: add \`source ${file}\` to ~/.bashrc.`,
    };
  },
  zsh({ env, home }) {
    const folder = join(env.ZDOTDIR || home, '.zfunc');
    return {
      file: join(folder, scriptNames.zsh),
      next: `Add this to .zshrc, unless it is there, and open a new shell: \`fpath=(${folder} $fpath); autoload -Uz compinit; compinit\``,
    };
  },
  fish({ env, home }) {
    const folder = env.XDG_CONFIG_HOME || join(home, '.config');
    return {
      file: join(folder, 'fish/completions', scriptNames.fish),
      next: 'It works in every new shell.',
    };
  },
};
