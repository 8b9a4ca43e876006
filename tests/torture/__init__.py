"""How a memory is ill-treated, to see that it survives: kills, faulty disks, power cuts, crowds.

    make torture                                   the long run, figures to benchmarks/results/
    PYTHONPATH=tests python -m torture kill --kills 500 --seed 1

`deeds` is the life of one process: every kind of write, each announced before and acknowledged
after in a journal. `expected` reads journals and knows what a file may hold; what it finds
otherwise is a fault. `kill` runs processes and ends them with SIGKILL at random instants. `disk` is a
file system that fails, or forgets at a power cut what was not brought to the disk. `crowd` lets
sixteen processes loose on one file.
"""
