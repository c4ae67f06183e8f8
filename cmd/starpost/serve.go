package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"starpost/pbem/config"
	"starpost/pbem/daemon"
)

func serveCommand() *cobra.Command {
	var file string
	var once bool
	cmd := &cobra.Command{
		Use:   "serve --config FILE [--once]",
		Short: "Run games by mail",
		Long: `Runs the games of a configuration: takes orders from the mailbox, answers each,
resolves turns when all are in or time is up, and mails the reports. It runs until
it is stopped (Ctrl-C), and may be stopped at any moment: nothing is lost or done
twice. With --once it handles what is in the mailbox, resolves what is due, sends
all and ends, which suits cron; the exit code is 1 if a server cannot be reached or
a game is in trouble.

An annotated configuration is examples/starpost.toml. Try yours first with starpost
config check FILE and starpost doctor --config FILE.`,
		Example: `  starpost serve --config /etc/starpost.toml
  */10 * * * * starpost serve --config /etc/starpost.toml --once`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd, file, once) },
	}
	cmd.Flags().StringVar(&file, "config", "", "the configuration, a TOML `FILE`")
	completeFlag(cmd, "config", tomlFile)
	cmd.Flags().BoolVar(&once, "once", false, "handle what is there, and end")
	return cmd
}

func serve(cmd *cobra.Command, file string, once bool) (err error) {
	c, err := loadConfig(file)
	if err != nil {
		return err
	}
	log := logger(cmd.ErrOrStderr(), c)
	for _, w := range c.Warnings {
		log.Warn("configuration", "problem", w)
	}
	o := daemon.Options{Config: c, Catalogue: catalogue(), Log: log, Version: version()}
	if err := breakable(&o); err != nil {
		return err
	}
	var counts *metrics
	if c.Metrics.Listen != "" && !once {
		counts = newMetrics(version())
		o.Watch = counts.watch
	}
	d, err := daemon.Open(o)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := d.Close(); cerr != nil && err == nil {
			err = fmt.Errorf("close the state directory: %w", cerr)
		}
	}()
	if once {
		sum, err := d.Once(cmd.Context())
		log.Info("done", "sent", sum.Sent, "deferred", sum.Deferred, "failed", sum.Failed)
		return err
	}
	if counts != nil {
		counts.ask(d.Status)
		end, err := counts.listen(c.Metrics.Listen, log)
		if err != nil {
			return err
		}
		defer end()
	}
	return d.Serve(cmd.Context())
}

// logger writes as the configuration says: by default text on a terminal, JSON elsewhere.
func logger(w io.Writer, c *config.Config) *slog.Logger {
	o := &slog.HandlerOptions{Level: c.Log.Level}
	f, isFile := w.(*os.File)
	if c.Log.Format == config.LogText || c.Log.Format == "" && isFile && term.IsTerminal(int(f.Fd())) {
		return slog.New(slog.NewTextHandler(w, o))
	}
	return slog.New(slog.NewJSONHandler(w, o))
}
